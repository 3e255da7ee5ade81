import { formatRelative } from '../../../../folding/text/times.ts'
import type { ClientRef } from '../../../../machines/connection/client/client.machine.ts'
import { selectAsOf } from '../../../../machines/connection/client/client.selectors.ts'
import { useClock } from '../../../hooks/system-context.ts'
import { useSelector } from '../../../hooks/use-selector.ts'

/** What is older says how old it is. Milliseconds. */
const CURRENT = 6000

/** When the client reported all that its row shows, unless that was just now. */
export function RowAge({ client }: { readonly client: ClientRef }) {
  const asOf = useSelector(client, selectAsOf)
  const text = useClock(now => (asOf === undefined || now - asOf < CURRENT ? '' : formatRelative(asOf, now)))
  return text === '' ? null : <span className="quiet">{text}</span>
}
