rootProject.name = "device"
