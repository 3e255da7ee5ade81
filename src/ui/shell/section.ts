/** Screens that belong to no machine. */
const OTHERS = /^\/(?:wus|unit|stats|projects|news|schedules|account|attention|help|about|verify|reset)(?:\/|$)/

/** Whether a path belongs to a section of the main menu. The home page, and those of machines, belong to the machines. */
export function isWithin(section: string, path: string): boolean {
  const shown = OTHERS.test(path) ? path.replace(/^\/unit(?=\/)/, '/wus') : '/machines'
  return shown === section || shown.startsWith(`${section}/`)
}
