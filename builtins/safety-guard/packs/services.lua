return { class = "services", title = "services", rules = {
} }
