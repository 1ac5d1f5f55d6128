#include "nfc_guard.h"
