# `make demo` and `make test` install what they need; `make help` lists the targets.

# Swift from PATH, or where the archive from swift.org is commonly unpacked.
export PATH := $(PATH):/opt/swift/usr/bin

# For example: make test SWIFTFLAGS='-Xswiftc -warnings-as-errors'
SWIFTFLAGS ?=

# What is installed, and what is measured.
RELEASE := -c release --static-swift-stdlib

PREFIX ?= /usr/local
BINDIR ?= $(PREFIX)/bin
MANDIR ?= $(PREFIX)/share/man
BASHCOMPLETIONDIR ?= $(PREFIX)/share/bash-completion/completions
ZSHCOMPLETIONDIR ?= $(PREFIX)/share/zsh/$(if $(filter /usr,$(PREFIX)),vendor-completions,site-functions)
FISHCOMPLETIONDIR ?= $(PREFIX)/share/fish/vendor_completions.d
UDEVRULESDIR ?= /etc/udev/rules.d
MODPROBEDIR ?= /etc/modprobe.d
# Building is done by whoever runs make; only copying into the system needs root.
SUDO ?= $(if $(DESTDIR),,$(if $(filter 0,$(shell id -u)),,sudo))

.PHONY: help build demo test peers fuzz lint format snapshots deps bench soak install uninstall deb

help: ## say what there is to make
	@sed -n 's/^\([a-z]*\):[^#]*## /\1|/p' $(MAKEFILE_LIST) | while IFS='|' read -r name text; do \
		printf '  make %-10s %s\n' "$$name" "$$text"; done

build: deps ## build the command line tool
	swift build $(SWIFTFLAGS) --product nfc-session

demo: build ## show what the tool does, on virtual tags
	Examples/demo.sh "$$(swift build $(SWIFTFLAGS) --show-bin-path)/nfc-session"

test: deps ## run all tests
	swift test $(SWIFTFLAGS) --disable-xctest

peers: deps ## exchange 200 NDEF messages each way with nfcpy and nfc-mfultralight (the tests: 20)
	NFC_SESSION_PEER_MESSAGES=200 swift test $(SWIFTFLAGS) --disable-xctest --filter NDEFPeerTests

fuzz: deps ## fuzz the parsers of what tags say, RUNS cases each (1000000)
	Fuzz/run

lint: ## check the formatting, and the scripts where shellcheck is installed
	git ls-files -z '*.swift' | xargs -0 swift format lint --strict --parallel
	if command -v shellcheck >/dev/null; then \
		shellcheck .ci/run .ci/deps Fuzz/run packaging/deb Examples/*.sh; fi

snapshots: build ## write the checked-in help texts anew
	tool="$$(swift build $(SWIFTFLAGS) --show-bin-path)/nfc-session"; \
	{ echo; "$$tool" manual | sed -n 's/^\.SS //p' | tr -d '\\'; } | while read -r words; do \
		"$$tool" $$words --help \
			> "Tests/Snapshots/$$(echo "nfc-session$${words:+ $$words}" | tr ' ' -).txt"; done

format: ## bring all Swift files into the house's format
	git ls-files -z '*.swift' | xargs -0 swift format format --in-place --parallel

deps: ## install what building and testing need
	@.ci/deps

bench: deps ## compare with a plain C loop over libnfc, in real time
	swift build $(RELEASE) --product nfc-session
	swift build $(RELEASE) --product nfc-bench
	$(CC) -O2 -Wall -o .build/poll_loop Benchmarks/poll_loop.c $$(pkg-config --cflags --libs libnfc)
	cd "$$(swift build $(RELEASE) --show-bin-path)" && ./nfc-bench ./nfc-session $(CURDIR)/.build/poll_loop

soak: deps ## long runs: 10,000 taps, every fault in every state, a month at a gate (about 30 minutes)
	swift build $(SWIFTFLAGS) -c release --product session-probe
	swift build $(SWIFTFLAGS) -c release --product reader-soak
	"$$(swift build $(SWIFTFLAGS) -c release --show-bin-path)/session-probe" taps 10000
	cd "$$(swift build $(SWIFTFLAGS) -c release --show-bin-path)" && \
		for run in matrix neighbours month hostile; do ./reader-soak $$run || exit; done
	NFC_SESSION_SOAK=1 swift test $(SWIFTFLAGS) --disable-xctest --filter GateDayTests

install: deps ## install the tool, its manual, completions, udev rules and the module blacklist (PREFIX, DESTDIR)
	swift build $(RELEASE) --product nfc-session
	mkdir -p .build/generated
	tool="$$(swift build $(RELEASE) --show-bin-path)/nfc-session" && cd .build/generated && \
		"$$tool" manual > nfc-session.1 && \
		for shell in bash zsh fish; do "$$tool" completion $$shell > nfc-session.$$shell || exit; done
	$(SUDO) install -D -s -m 755 "$$(swift build $(RELEASE) --show-bin-path)/nfc-session" \
		$(DESTDIR)$(BINDIR)/nfc-session
	$(SUDO) install -D -m 644 .build/generated/nfc-session.1 $(DESTDIR)$(MANDIR)/man1/nfc-session.1
	$(SUDO) install -D -m 644 .build/generated/nfc-session.bash $(DESTDIR)$(BASHCOMPLETIONDIR)/nfc-session
	$(SUDO) install -D -m 644 .build/generated/nfc-session.zsh $(DESTDIR)$(ZSHCOMPLETIONDIR)/_nfc-session
	$(SUDO) install -D -m 644 .build/generated/nfc-session.fish $(DESTDIR)$(FISHCOMPLETIONDIR)/nfc-session.fish
	$(SUDO) install -D -m 644 udev/60-nfc-session.rules $(DESTDIR)$(UDEVRULESDIR)/60-nfc-session.rules
	$(SUDO) install -D -m 644 udev/nfc-session.conf $(DESTDIR)$(MODPROBEDIR)/nfc-session.conf

uninstall: ## remove what install put there
	$(SUDO) rm -f $(DESTDIR)$(BINDIR)/nfc-session $(DESTDIR)$(MANDIR)/man1/nfc-session.1
	$(SUDO) rm -f $(DESTDIR)$(BASHCOMPLETIONDIR)/nfc-session $(DESTDIR)$(ZSHCOMPLETIONDIR)/_nfc-session
	$(SUDO) rm -f $(DESTDIR)$(FISHCOMPLETIONDIR)/nfc-session.fish
	$(SUDO) rm -f $(DESTDIR)$(UDEVRULESDIR)/60-nfc-session.rules $(DESTDIR)$(MODPROBEDIR)/nfc-session.conf

deb: ## build a Debian package in .build/deb
	rm -rf .build/deb
	$(MAKE) install DESTDIR=$(CURDIR)/.build/deb/root PREFIX=/usr \
		UDEVRULESDIR=/usr/lib/udev/rules.d MODPROBEDIR=/usr/lib/modprobe.d
	packaging/deb .build/deb/root .build/deb
