return )
