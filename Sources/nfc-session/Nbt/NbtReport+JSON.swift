import Bytes
import NBT

/// The report as one JSON object; what the tag refuses is an object with the reason as `refused`.
extension NbtReport {
    var json: JSON {
        .object([
            "uid": .string(uid),
            "random": .bool(hasRandomUID),
            "state": stateJSON,
            "key": hasKey.json(JSON.bool),
            "application": version.json { .string("\($0)") },
            "memory": memory.json { memory in
                .object([
                    "free": .number(memory.nvm),
                    "clearOnReset": .number(memory.transientCor),
                    "clearOnDeselect": .number(memory.transientCod),
                ])
            },
            "cc": capabilities.json { container in
                .object([
                    "mappingVersion": .string(container.mappingVersion.hex),
                    "maximumAnswer": .number(container.maximumAnswerData),
                    "maximumCommand": .number(container.maximumCommandData),
                ])
            },
            "files": .array(
                NbtFile.allCases.map { file in
                    .object([
                        "file": .string(file.word),
                        "identifier": .string(file.rawValue.hex),
                        "size": .number(size(of: file)),
                    ])
                }
            ),
            "policies": policies.json { policies in
                .array(NbtFile.allCases.map { PolicyTable.json($0, policies[$0]) })
            },
            "message": message.json { bytes in
                .object([
                    "bytes": .number(bytes.count),
                    "records": records.map { .array($0.map(\.json)) } ?? .null,
                ])
            },
            "configuration": configuration.json { .array($0.map(\.json)) },
        ])
    }

    private var stateJSON: JSON {
        let (name, useCases): (String, [NbtUseCase]) =
            switch state {
            case .delivery: ("delivery", [])
            case .prepared(let useCases, _): ("prepared", useCases)
            case .own: ("own", [])
            case nil: ("unknown", [])
            }
        return .object([
            "name": .string(name), "useCases": .array(useCases.map { .string($0.rawValue) }),
        ])
    }
}
