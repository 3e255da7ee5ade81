import { useEffect, useState } from 'react'
import { useJournal } from '../journal/journal-context.ts'
import { useSystem } from '../hooks/system-context.ts'
import { setBridge } from './bridge.ts'
import { startWatch } from './use-watch.ts'

export type OwnWindow = {
  readonly isOpen: boolean
  /** The inspector was in its own window before. */
  readonly wasOpen: boolean
  /** The browser blocked the window. */
  readonly isRefused: boolean
  readonly open: () => void
}

const ADDRESS = `${import.meta.env.BASE_URL}inspector.html`
const FEATURES = 'popup,width=1120,height=760'
/** Milliseconds. There is no event for the closing of a window that the page opened. */
const POLL_INTERVAL = 250

/** The inspector's own window. It closes with the page and the inspector; closing it brings the panel back. */
export function useOwnWindow(onClose: () => void): OwnWindow {
  const [popup, setPopup] = useState<Window>()
  const [wasOpen, setWasOpen] = useState(false)
  const [isRefused, setRefused] = useState(false)
  const system = useSystem()
  const journal = useJournal()
  useEffect(() => {
    if (popup === undefined) return
    const end = (): void => popup.close()
    const timer = setInterval(() => {
      if (popup.closed) setPopup(undefined)
    }, POLL_INTERVAL)
    window.addEventListener('pagehide', end)
    return () => {
      clearInterval(timer)
      window.removeEventListener('pagehide', end)
      setBridge(window, undefined)
      end()
    }
  }, [popup])
  return {
    isOpen: popup !== undefined,
    wasOpen,
    isRefused,
    open: () => {
      setBridge(window, { system, journal, watch: startWatch, dock: () => setPopup(undefined), close: onClose })
      const opened = window.open(ADDRESS, 'foldboard-inspector', FEATURES)
      setRefused(opened === null)
      if (opened === null) return
      setWasOpen(true)
      setPopup(opened)
    },
  }
}
