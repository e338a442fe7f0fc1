rootProject.name = "omi-device"
