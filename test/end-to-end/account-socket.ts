import type { Network } from '../../network/index.ts'
import { textOf } from '../../host/abrupt-socket.ts'
import { openTestSocket } from '../network/test-socket.ts'
import { signIn } from '../network/page.ts'
import { createLogin } from '../../src/protocol/crypto/envelope.ts'

/** A second page of the same account, which receives what the relay sends. */
export const openAccountSocket = async ({ apiUrl, nodeUrl, account }: Network) => {
  const { keys } = await signIn(apiUrl, account)
  const accountSocket = await openTestSocket(`${nodeUrl}/ws/account`)
  accountSocket.send(await createLogin(keys, { time: new Date().toISOString(), session: 'another page' }))
  const left: string[] = []
  accountSocket.socket.on('message', data => {
    const text = textOf(data)
    if (text.startsWith('{"type":"disconnect","id":"')) left.push(text)
  })
  return {
    keys,
    accountSocket,
    /** What the relay said about machines that left. */
    departures: (): readonly string[] => left,
    stop: () => accountSocket.drop(),
  }
}
