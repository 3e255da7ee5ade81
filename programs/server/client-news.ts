import { every } from './event-loop.ts'
import type { ListedClient } from './news.ts'

const LOOK_MS = 1000

/** Compares the clients every second: their reports change with every update, and readers need no more. */
export function followClients<Client extends ListedClient>(
  clients: () => readonly Client[],
  onChange: (before: Client, client: Client) => void,
): () => void {
  let last = clients()
  return every(LOOK_MS, () => {
    const current = clients()
    const earlier = last
    if (current === earlier) return
    let numbered: ReadonlyMap<number, Client> | undefined
    current.forEach((client, index) => {
      // Clients of the account come and go; nearly always they are in the same place.
      const there = earlier[index]
      const before =
        there?.number === client.number
          ? there
          : (numbered ??= new Map(earlier.map(each => [each.number, each]))).get(client.number)
      const isSame =
        before === undefined ||
        before === client ||
        (before.isConnected === client.isConnected &&
          before.summary === client.summary &&
          before.name === client.name &&
          before.excess === client.excess)
      if (!isSame) onChange(before, client)
    })
    last = current
  })
}
