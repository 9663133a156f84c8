export async function open(root) { root.textContent = "Soon."; }
