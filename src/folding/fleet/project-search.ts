/* Finding projects by their number, cause or description. */
import type { Project } from '../../protocol/api/api.ts'
import { causeTitle } from '../text/client-words.ts'

export type ProjectSearch = {
  /** Words that all must occur; '' for all projects. */
  readonly words: string
  /** As the API names it; undefined for all. */
  readonly cause: string | undefined
}

const texts = new WeakMap<Project, string>()

/** What is searched in of a description: without tags, in small letters. */
function textOf(project: Project): string {
  const cached = texts.get(project)
  if (cached !== undefined) return cached
  const { cause = '', manager = '', institution = '', description = '' } = project
  const text = [causeTitle(cause), cause, manager, institution, description.replaceAll(/<[^<>]*>/g, ' ')].join(' ')
  const found = text.toLowerCase()
  texts.set(project, found)
  return found
}

/** Whether a project matches, as far as it is known. `project`: its description; undefined until it is loaded. */
export function matchesProject(id: number, project: Project | undefined, { words, cause }: ProjectSearch): boolean {
  if (cause !== undefined && project?.cause !== cause) return false
  const text = `${id} ${project === undefined ? '' : textOf(project)}`
  return words
    .toLowerCase()
    .split(/\s+/)
    .every(word => text.includes(word))
}
