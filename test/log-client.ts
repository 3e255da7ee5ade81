import { clientData, startScriptedClient } from './end-to-end/scripted-client.ts'
import { folded } from './log-lines.ts'

const FIRST = 300
const MISSED = 20
const END = 12 * 3600

/** A client with a log: sends all of it on request, then new lines. */
export async function startLogClient() {
  const client = await startScriptedClient(clientData())
  let written = FIRST
  const lines = (): readonly string[] => [
    '12:00:00:I1:a line of many letters: aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa!',
    ...folded(written, { endsAt: END + written }),
  ]
  const wanted = async (): Promise<void> => {
    while ((await client.nextCommand())['enable'] !== true);
    client.say(['log', lines()])
  }
  return {
    address: `${client.address.host}:${client.address.port}`,
    /** How many lines there are by now, and what the newest one ends with. */
    count: () => lines().length,
    newest: () => `line ${written - 1}`,
    /** Sends the whole log when it is requested. */
    wanted,
    write: () => {
      written += 1
      client.say(['log', -2, lines().slice(-1)])
    },
    /** The connection breaks; more is written before it is back. */
    breakOff: async () => {
      written += MISSED
      client.drop()
      await wanted()
    },
    stop: () => client.stop(),
  }
}

export type LogClient = Awaited<ReturnType<typeof startLogClient>>
