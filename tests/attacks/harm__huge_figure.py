"""Draw a picture of 100 megapixels. It is stopped or left out."""
# flag: no

import matplotlib.pyplot as plt

plt.figure(figsize=(100, 100), dpi=100)
plt.plot([1, 2])
plt.show()
