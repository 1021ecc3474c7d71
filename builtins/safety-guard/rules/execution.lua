return { class = "execution", title = "Running what nobody has seen", rules = {
} }
