import { t } from '@lingui/core/macro'
import { useSelector } from '../../hooks/use-selector.ts'
import { memo, useEffect, useRef, useState } from 'react'
import { useSearchParams } from 'react-router-dom'
import { useSystem } from '../../hooks/system-context.ts'
import { useClient } from '../../hooks/client-context.ts'
import { WhenLoaded } from '../when-loaded.tsx'
import { lineTimeOf, SEARCH_PARAM } from './log-path.ts'
import { LogStatus } from './log-status.tsx'
import { LogToolbar } from './log-toolbar.tsx'
import { LogView } from './log-view.tsx'
import styles from './log-screen.module.css'
import type { LogPages } from './use-log-scroll.ts'
import { useLogKeys } from './use-log-keys.ts'

type FirstSearch = { readonly text: string; readonly at: number | undefined }

/** Keeps the search text in the URL, so that it survives a reload and can be shared. */
function useSearchInUrl(): FirstSearch {
  const { log } = useSystem()
  const [params, setParams] = useSearchParams()
  const addressText = useSelector(log, ({ context }) => context.addressText)
  const isOpen = useSelector(log, snapshot => snapshot.hasTag('present'))
  const text = params.get(SEARCH_PARAM) ?? ''
  useEffect(() => {
    if (isOpen && addressText !== text)
      setParams(addressText === '' ? {} : { [SEARCH_PARAM]: addressText }, { replace: true, preventScrollReset: true })
  }, [isOpen, addressText, text, setParams])
  return { text, at: lineTimeOf(params) }
}

const Log = memo(({ first }: { readonly first: FirstSearch }) => {
  const client = useClient()
  const { log } = useSystem()
  const pages = useRef<LogPages>(null)
  useEffect(() => {
    const { text, at } = first
    log.send({ type: 'log.open', client, text, ...(at === undefined ? {} : { at }) })
    return () => log.send({ type: 'log.close' })
  }, [log, client, first])
  useLogKeys(pages)
  return (
    <div className={styles['screen']}>
      <LogToolbar />
      <LogView pages={pages} />
      <LogStatus pages={pages} />
    </div>
  )
})
Log.displayName = 'Log'

/** Apart from the log, which a new URL does not change. */
function LogAndUrl() {
  const [first] = useState(useSearchInUrl())
  return <Log first={first} />
}

/** A client's log, updated live. */
export function LogScreen() {
  return (
    <WhenLoaded part="log" what={t`The log`}>
      <LogAndUrl />
    </WhenLoaded>
  )
}
