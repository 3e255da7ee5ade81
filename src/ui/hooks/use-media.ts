import { useSyncExternalStore } from 'react'

/** Whether a media query matches, such as '(prefers-color-scheme: dark)'. */
export function useMedia(query: string): boolean {
  return useSyncExternalStore(
    onChange => {
      const media = matchMedia(query)
      media.addEventListener('change', onChange)
      return () => media.removeEventListener('change', onChange)
    },
    () => matchMedia(query).matches,
  )
}
