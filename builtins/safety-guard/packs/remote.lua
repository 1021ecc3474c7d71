return { class = "remote", title = "remote", rules = {
} }
