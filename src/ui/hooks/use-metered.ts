import { useSyncExternalStore } from 'react'
import { isCostly, type Connection } from '../../loading/costly-connection.ts'

/** Only some browsers tell of their connection. */
const { connection } = navigator as { readonly connection?: Connection & EventTarget }

function subscribe(onChange: () => void): () => void {
  connection?.addEventListener('change', onChange)
  return () => connection?.removeEventListener('change', onChange)
}

/** Whether nothing is to be fetched that was not asked for, as it costs money. */
export function useMetered(): boolean {
  return useSyncExternalStore(subscribe, () => isCostly(connection ?? {}))
}
