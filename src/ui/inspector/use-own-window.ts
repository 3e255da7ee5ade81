import { useEffect, useState } from 'react'
import { useJournal } from '../journal/journal-context.ts'
import { useSystem } from '../hooks/system-context.ts'
import { layDesk } from './bridge.ts'
import { watchOn } from './use-watch.ts'

export type OwnWindow = {
  readonly isOpen: boolean
  /** It was open before, and the inspector is back in the page. */
  readonly wasOpen: boolean
  /** The browser would not open one. */
  readonly isRefused: boolean
  readonly open: () => void
}

const ADDRESS = `${import.meta.env.BASE_URL}inspector.html`
const FEATURES = 'popup,width=1120,height=760'
/** No event tells a page that a window which it opened was closed. */
const LOOK_EVERY = 250

/** The inspector's own window: it goes with the page and with the inspector, and when it is closed the panel is back. */
export const useOwnWindow = (onClose: () => void): OwnWindow => {
  const [own, setOwn] = useState<Window>()
  const [wasOpen, setWasOpen] = useState(false)
  const [isRefused, setRefused] = useState(false)
  const system = useSystem()
  const journal = useJournal()
  useEffect(() => {
    if (own === undefined) return
    const end = (): void => own.close()
    const timer = setInterval(() => {
      if (own.closed) setOwn(undefined)
    }, LOOK_EVERY)
    window.addEventListener('pagehide', end)
    return () => {
      clearInterval(timer)
      window.removeEventListener('pagehide', end)
      layDesk(window, undefined)
      end()
    }
  }, [own])
  return {
    isOpen: own !== undefined,
    wasOpen,
    isRefused,
    open: () => {
      layDesk(window, { system, journal, watch: watchOn, dock: () => setOwn(undefined), close: onClose })
      const opened = window.open(ADDRESS, 'foldboard-inspector', FEATURES)
      setRefused(opened === null)
      if (opened === null) return
      setWasOpen(true)
      setOwn(opened)
    },
  }
}
