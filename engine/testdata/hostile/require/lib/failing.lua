error({ "each time" })
