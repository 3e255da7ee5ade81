type Battery = { readonly charging: boolean }

/** Whether the computer has only its battery. Not every browser says so. */
export async function isOnBattery(): Promise<boolean> {
  const { getBattery } = navigator as { readonly getBattery?: () => Promise<Battery> }
  try {
    return (await getBattery?.call(navigator))?.charging === false
  } catch {
    return false
  }
}
