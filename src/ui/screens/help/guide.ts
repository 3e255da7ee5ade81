import type { GuidePage, GuideSection } from 'virtual:guide'
import { INCIDENT_KINDS } from '../../../folding/incidents/incident-names.ts'

const TROUBLE = 'when-something-is-wrong'

/** The first screen whose path begins so has its paragraph. */
const PARAGRAPHS: readonly (readonly [path: RegExp, paragraph: string])[] = [
  [/^\/attention/, '/help/when-something-is-wrong'],
  [/^\/schedules/, '/help/schedules-and-power'],
  [/^\/stats\/power/, '/help/schedules-and-power#what-it-costs'],
  [/^\/stats/, '/help/first-hour#when-are-there-points'],
  [/^\/wus/, '/help/one-computer#what-was-folded'],
  [/^\/projects/, '/help/words#project'],
  [/^\/unit\//, '/help/words#work-unit'],
  [/^\/(?:account|verify|reset)/, '/help/several-computers#two-ways-to-your-machines'],
  [/^\/machines/, '/help/several-computers'],
  [/^\/(?:help|news)/, '/help/first-hour'],
  [/^\/about/, '/help/privacy'],
  [/\/log$/, '/help/one-computer#the-log'],
  [/\/settings$/, '/help/one-computer#how-much-it-folds'],
  [/\/view\//, '/help/one-computer#the-molecule'],
]

/** The paragraph of the guide about the screen at a path. */
export function helpPath(path: string): string {
  return PARAGRAPHS.find(([part]) => part.test(path))?.[1] ?? '/help/one-computer'
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
