/** Whether a path belongs to a section of the main menu. The home page leads to the machines. */
export function isWithin(section: string, path: string): boolean {
  const shown = path === '/' ? '/machines' : path
  return shown === section || shown.startsWith(`${section}/`)
}
