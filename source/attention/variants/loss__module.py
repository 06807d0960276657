loss_function = nn.MSELoss()
