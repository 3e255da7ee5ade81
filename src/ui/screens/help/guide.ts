import type { GuidePage, GuideSection } from 'virtual:guide'
import { INCIDENT_KINDS } from '../../../folding/incidents/incident-names.ts'

const TROUBLE = 'when-something-is-wrong'

/** The first screen whose path begins so has its page; all others begin with the first hour. */
const PAGES: readonly (readonly [start: string, page: string])[] = [
  ['/attention', TROUBLE],
  ['/schedules', 'schedules-and-power'],
  ['/stats/power', 'schedules-and-power'],
  ['/stats', 'words'],
  ['/wus', 'words'],
  ['/projects', 'words'],
  ['/unit', 'words'],
  ['/account', 'several-computers'],
  ['/machines', 'several-computers'],
  ['/help', 'first-hour'],
  ['/news', 'first-hour'],
  ['/about', 'privacy'],
]

/** The page of the guide about the screen at a path. */
export function helpPath(path: string): string {
  const found = PAGES.find(([start]) => path === start || path.startsWith(`${start}/`))
  return `/help/${found?.[1] ?? 'one-computer'}`
}

/** The anchor of the paragraph about a kind of incident, which the incident links by `?kind=`: they have the order of the kinds. */
export function incidentAnchor(kind: string | null, page: GuidePage): string | undefined {
  const at = INCIDENT_KINDS.findIndex(known => known === kind)
  return at < 0 || page.name !== TROUBLE ? undefined : page.sections[at + 1]?.anchor
}

/** Sections that contain all words, those first that have them in their title. */
export function searchGuide(
  pages: readonly GuidePage[],
  query: string,
): readonly { readonly page: GuidePage; readonly section: GuideSection }[] {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean)
  if (words.length === 0) return []
  const hasAll = (text: string): boolean => words.every(word => text.toLowerCase().includes(word))
  return pages
    .flatMap(page => page.sections.map(section => ({ page, section })))
    .filter(({ section: { title, text } }) => hasAll(`${title} ${text}`))
    .sort((a, b) => Number(hasAll(b.section.title)) - Number(hasAll(a.section.title)))
}
