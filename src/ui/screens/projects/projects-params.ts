import type { ProjectSearch } from '../../../folding/fleet/project-search.ts'

/* The search is in the address: `find=villin&cause=cancer`. */
const FIND = 'find'
const CAUSE = 'cause'

export function searchOf(params: URLSearchParams): ProjectSearch {
  return {
    words: params.get(FIND) ?? '',
    cause: params.get(CAUSE) ?? undefined,
  }
}

export function withWords(params: URLSearchParams, words: string): URLSearchParams {
  return changed(params, FIND, words)
}

export function withCause(params: URLSearchParams, cause: string): URLSearchParams {
  return changed(params, CAUSE, cause === 'any' ? '' : cause)
}

function changed(params: URLSearchParams, name: string, value: string): URLSearchParams {
  const next = new URLSearchParams(params)
  if (value === '') next.delete(name)
  else next.set(name, value)
  return next
}
