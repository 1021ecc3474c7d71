return { class = "disk", title = "Disks and devices", rules = {
} }
