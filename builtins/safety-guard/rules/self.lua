return { class = "self", title = "The guard itself", rules = {
} }
