print("nfc-session")
