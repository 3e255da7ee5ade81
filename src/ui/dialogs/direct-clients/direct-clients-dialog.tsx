import { useSelector } from '../../hooks/use-selector.ts'
import { useSystem } from '../../hooks/system-context.ts'
import { ClientImport } from './client-import.tsx'
import { ClientList } from './client-list.tsx'

/** The list of direct clients: add, name, move, remove, import and export. */
export function DirectClientsDialog() {
  const { directClients } = useSystem()
  const isImporting = useSelector(directClients, snapshot => snapshot.hasTag('importing'))
  return isImporting ? <ClientImport /> : <ClientList />
}
