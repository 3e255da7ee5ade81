import type { Network } from '../../network/index.ts'
import { listenTo } from '../../network/testing/ear.ts'
import { signIn } from '../../network/testing/page.ts'
import { createLogin } from '../../src/protocol/envelope.ts'

/** A second page of the same account, which hears what the relay says word by word. */
export const openAccountSocket = async ({ apiUrl, nodeUrl, account }: Network) => {
  const { keys } = await signIn(apiUrl, account)
  const ear = await listenTo(`${nodeUrl}/ws/account`)
  ear.send(await createLogin(keys, { time: new Date().toISOString(), session: 'another page' }))
  return { keys, ear, stop: () => ear.drop() }
}
