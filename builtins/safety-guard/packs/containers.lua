return { class = "containers", title = "containers", rules = {
} }
