import type { ProjectSearch } from '../../../folding/fleet/project-search.ts'

/* The search is in the address: `find=villin&cause=cancer`. */
const FIND = 'find'
const CAUSE = 'cause'

export const searchOf = (params: URLSearchParams): ProjectSearch => ({
  words: params.get(FIND) ?? '',
  cause: params.get(CAUSE) ?? undefined,
})

export const withWords = (params: URLSearchParams, words: string): URLSearchParams => changed(params, FIND, words)

export const withCause = (params: URLSearchParams, cause: string): URLSearchParams =>
  changed(params, CAUSE, cause === 'any' ? '' : cause)

const changed = (params: URLSearchParams, name: string, value: string): URLSearchParams => {
  const next = new URLSearchParams(params)
  if (value === '') next.delete(name)
  else next.set(name, value)
  return next
}
