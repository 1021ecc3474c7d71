return { class = "secrets", title = "secrets", rules = {
} }
