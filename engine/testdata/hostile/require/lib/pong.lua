return require("ping")
