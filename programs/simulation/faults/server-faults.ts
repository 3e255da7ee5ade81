import { SQLITE_TROUBLES } from '../database/edge.ts'
import type { ServerProcess, Servers } from '../servers.ts'
import type { Scene } from '../story/scene.ts'
import { DAY, HOUR, MINUTE, SECOND } from '../time/durations.ts'
import { nothing, type Fault } from './fault.ts'

type Begin = (server: ServerProcess, scene: Scene, servers: Servers) => (() => void) | undefined

/** A fault of one server, if there is one. */
function ofOne(name: string, what: string, lasts: Fault['lasts'], begin: Begin): Fault {
  return {
    name,
    what,
    lasts,
    begin: scene => {
      const { servers } = scene.world
      const server = servers && scene.chance.oneOf(servers.processes)
      return server === undefined || servers === undefined ? undefined : begin(server, scene, servers)
    },
  }
}

function down(server: ServerProcess, why: string): () => void {
  server.isKept = false
  server.kill(why)
  return () => {
    server.isKept = true
    server.start()
  }
}

/** What goes wrong with servers, their computers and their databases. */
export const serverFaults: readonly Fault[] = [
  ofOne('server killed', 'a server is killed', [1, 1], server => {
    server.kill('killed')
    return nothing
  }),
  ofOne(
    'server killed in a statement',
    'a server is killed before or after a statement',
    [MINUTE, MINUTE],
    (server, { chance }) => {
      server.trap.killIn = { left: Math.floor(2 ** chance.between(0, 9)), isAfter: chance.isTrue(0.5) }
      return nothing
    },
  ),
  ofOne(
    'server killed while it starts',
    'a server is killed, and again while it starts',
    [2 * MINUTE, 2 * MINUTE],
    (server, { chance }) => {
      server.kill('killed')
      server.trap.killIn = { left: chance.whole(0, 60), isAfter: chance.isTrue(0.5) }
      return nothing
    },
  ),
  ofOne('server restarted', 'a server is stopped, and started again', [MINUTE, MINUTE], server => {
    server.stop()
    return nothing
  }),
  ofOne('server off', 'the computer of a server has no power', [MINUTE, 20 * HOUR], server => down(server, 'no power')),
  ofOne('server with a wrong clock', 'the clock of a server jumps', [MINUTE, 6 * HOUR], (server, { chance }) => {
    server.ahead = chance.oneOf([-2 * DAY, -HOUR, -5 * MINUTE, -2 * SECOND, 2 * SECOND, 5 * MINUTE, HOUR, 2 * DAY]) ?? 0
    return () => {
      server.ahead = 0
    }
  }),
  ofOne('database in trouble', 'writes of a database fail', [10 * SECOND, 2 * HOUR], (server, { chance }, servers) => {
    const share = chance.isTrue(0.5) ? 1 : chance.between(0.02, 0.5)
    if (servers.postgres !== undefined) {
      const code = chance.oneOf(['53100', '53300', '40P01', '57P01']) ?? '53100'
      servers.postgres.setTrouble(() => (chance.isTrue(share) ? code : undefined))
      return () => servers.postgres?.setTrouble(undefined)
    }
    server.trap.trouble = { chance, share, code: chance.oneOf(SQLITE_TROUBLES) ?? 'SQLITE_FULL' }
    return () => {
      server.trap.trouble = undefined
    }
  }),
  ofOne(
    'database restarts',
    'the process of the database ends, and starts again',
    [MINUTE, 5 * MINUTE],
    (_, { chance }, servers) => {
      servers.restartDatabase(chance.whole(SECOND, MINUTE))
      return nothing
    },
  ),
  ofOne(
    'database cut off',
    'nothing arrives between a server and its database',
    [SECOND, 10 * MINUTE],
    (server, { world }) =>
      world.internet.conditions.add({
        concerns: ({ from, to }) => from === `server ${server.number}` && to.startsWith('database'),
        isCut: true,
      }),
  ),
  ofOne(
    'server cut off',
    'nothing arrives between a server and machines, recipients and other servers',
    [10 * SECOND, 2 * HOUR],
    (server, { world }) =>
      world.internet.conditions.add({
        concerns: ({ from, to }) => from === `server ${server.number}` && !to.startsWith('database'),
        isCut: true,
      }),
  ),
  ofOne(
    'alerts fail',
    'the recipient of alerts does not answer, answers late, or refuses',
    [MINUTE, 6 * HOUR],
    (_, { world, chance }) =>
      world.internet.conditions.add({
        concerns: ({ to }) => to.startsWith('alerts'),
        delay: () => chance.whole(0, 40 * SECOND),
        call: () =>
          chance.isTrue(0.6) ? chance.oneOf(['lost', 'answer lost', 'refused', 'error 500'] as const) : undefined,
      }),
  ),
]
