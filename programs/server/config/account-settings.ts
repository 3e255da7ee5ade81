import * as v from 'valibot'
import { CONTROL_COMMANDS } from '../gateway/page-command.ts'
import { flag, listOf, webAddress, wholeNumberBetween, word } from './fields.ts'

const commands = listOf(
  v.picklist(CONTROL_COMMANDS, `must be one of ${CONTROL_COMMANDS.join(', ')}`),
  CONTROL_COMMANDS.length,
)
const tags = listOf(word(64), 20)

/** One client of the account, by its id: each user of the account can change names. */
const accountClient = v.strictObject({
  id: v.pipe(word(200), v.description('The id of the machine, `id` of /api/server/machines.')),
  commands: v.pipe(
    v.optional(commands),
    v.description('Commands that operators may send to it, in place of those of the account; [] for none.'),
  ),
  tags: v.pipe(v.optional(tags), v.description('Tags by which schedules name it, in place of those of the account.')),
})

/** An account whose clients are reached through its relay node. It is enrolled by `enroll`. */
export const account = v.strictObject({
  'key-file': v.pipe(
    v.optional(word(1000)),
    v.description(
      'File of the key that encrypts the enrolled account on disk; FOLDBOARD_ACCOUNT_KEY may have it instead.',
    ),
  ),
  'api-url': v.pipe(v.optional(webAddress, 'https://api.foldingathome.org'), v.description('The API of Folding@home.')),
  'plain-node': v.pipe(
    flag(false),
    v.description('Connect to the node without TLS, as the embedded network needs it.'),
  ),
  commands: v.pipe(
    v.optional(commands, []),
    v.description(
      'Commands that operators may send to machines of the account. Default: none, they are only observed.',
    ),
  ),
  tags: v.pipe(v.optional(tags, []), v.description('Tags by which schedules name the machines of the account.')),
  machines: v.pipe(
    v.optional(listOf(accountClient, 5000), []),
    v.description(
      'Machines of the account that may be sent other commands, or have other tags, than the account says.',
    ),
  ),
  'sample-minutes': v.pipe(
    v.optional(wholeNumberBetween(1, 1440), 10),
    v.description('Minutes between two samples through the relay, each of which takes about one.'),
  ),
  'stay-connected': v.pipe(
    flag(false),
    v.description('Stay connected through the relay instead: about three messages a second and machine.'),
  ),
})
