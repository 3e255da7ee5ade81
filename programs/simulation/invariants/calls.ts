import type { World } from '../world.ts'
import type { Invariant } from './invariant.ts'

/** Everything that the API of the folding network can be asked for (docs/protocol.md), without the parts that are names. */
const PATHS = [
  /^\/(login|logout|register|account|account\/(secret|token|teams)|reset|project\/cause|release\/latest\.json|awards)$/,
  /^\/(article|asset\/[^/]+\/web|posts|media\/\d+|users\/\d+)$/,
  /^\/(verify|reset|login|user|team|project|account\/machines|account\/teams|machine)\/([^/]+)$/,
  /^\/project\/(\d+)\/run\/(\d+)\/clone\/(\d+)\/gen\/(\d+)$/,
]

/** What a donor is asked for with: a team's number, and a passkey. */
const OF_DONOR = /^(team=\d+|passkey=[0-9a-f]+)?(&passkey=[0-9a-f]+)?$/i

const looked = new WeakMap<World, number>()

/** Whether the parts of a path can be read again. */
function isReadable(path: string): boolean {
  try {
    return decodeURIComponent(path) !== ''
  } catch {
    return false
  }
}

export const callsAreKnown: Invariant = {
  name: 'a call is one that the API has',
  reason: 'A name with a slash or a percent sign asks for something else, or for nothing.',
  check: ({ world }) => {
    const { calls } = world
    const from = looked.get(world) ?? 0
    looked.set(world, calls.length)
    const unknown = calls.slice(from).find(call => {
      const [path = '', query = ''] = call.split('?')
      const isKnown = PATHS.some(form => form.test(path)) && (!path.startsWith('/user/') || OF_DONOR.test(query))
      return !isReadable(path) || !isKnown
    })
    return unknown === undefined ? undefined : `the API is asked for ${unknown}`
  },
}
