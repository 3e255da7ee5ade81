/*
 * Plain sentences for what servers answer and how cores end (docs/protocol.md §6). The original stays beside them, since
 * it is what people search for; an answer that is not known is shown as it is.
 */
import { i18n } from '@lingui/core'
import { t } from '@lingui/core/macro'

/** A known answer with its meaning: 'The server is overloaded (HTTP_SERVICE_UNAVAILABLE)'; another one unchanged. */
export function plainAnswer(answer: string): string {
  const cached = plain.get(answer)
  if (cached !== undefined) return cached
  const meaning = crashText(answer) ?? ANSWERS.find(([pattern]) => pattern.test(answer))?.[1]()
  const found = meaning === undefined ? answer : `${meaning} (${answer})`
  if (plain.size >= MOST_PLAIN) plain.clear()
  plain.set(answer, found)
  return found
}

/** What a line of a client's log says of the end of a core, with its meaning; undefined of other lines and unknown codes. */
export function coreEndText(line: string): string | undefined {
  const end = /\bcore returned\b[^\u001b]*/i.exec(line)?.[0].trimEnd()
  if (end === undefined) return undefined
  const meaning = plainAnswer(end)
  return meaning === end ? undefined : meaning
}

// Cells ask for the same few answers all the time.
const plain = new Map<string, string>()
const MOST_PLAIN = 500
i18n.on('change', () => plain.clear())

const ANSWERS: readonly (readonly [RegExp, () => string])[] = [
  [
    /no appropriate assignment|no work|no wus? available/i,
    () => t`The project has no work for this hardware and these settings at the moment`,
  ],
  [/already (?:been )?(?:received|credited)|duplicate/i, () => t`The server has these results already`],
  [
    /HTTP_(?:SERVICE_UNAVAILABLE|BAD_GATEWAY|GATEWAY_TIMEOUT)|\b(?:HTTP|status|code|error)\D{0,10}50[234]\b/i,
    () => t`The server is overloaded or being serviced`,
  ],
  [/HTTP_INTERNAL_SERVER_ERROR|\b(?:HTTP|status|code|error)\D{0,10}500\b/i, () => t`The server has an internal error`],
  [
    /HTTP_(?:UNAUTHORIZED|FORBIDDEN)|\b(?:HTTP|status|code|error)\D{0,10}40[13]\b/i,
    () => t`The server refuses this request`,
  ],
  [
    /HTTP_(?:NOT_FOUND|GONE)|\b(?:HTTP|status|code|error)\D{0,10}4(?:04|10)\b/i,
    () => t`The server does not know this work unit any more`,
  ],
  [
    /HTTP_(?:REQUEST_ENTITY_TOO_LARGE|PAYLOAD_TOO_LARGE)|\b(?:HTTP|status|code|error)\D{0,10}413\b/i,
    () => t`The results are larger than the server accepts`,
  ],
  [/HTTP_TOO_MANY_REQUESTS|\b(?:HTTP|status|code|error)\D{0,10}429\b/i, () => t`The server wants fewer requests`],
  [
    /DNS|resolve|name or service not known|no such host/i,
    () => t`The name of the server cannot be looked up: check the machine’s internet connection`,
  ],
  [/connection refused|ECONNREFUSED|CONN_ERR_CONNECT/i, () => t`The server accepts no connections`],
  [/timed? ?out|ETIMEDOUT/i, () => t`The server did not answer in time`],
  [/connection reset|ECONNRESET|broken pipe|CONN_ERR_EOF/i, () => t`The connection to the server broke`],
  [
    /certificate|SSL|TLS/,
    () => t`The secure connection failed: check the machine’s clock, and programs that inspect its traffic`,
  ],
  [/no space left|disk full|ENOSPC/i, () => t`The machine’s disk is full`],
  [
    /permission denied|EACCES|access is denied/i,
    () => t`The client may not read or write its files: check their permissions and the antivirus program`,
  ],
]

/** By the name of the code; the numbers are those that cores end with. */
const CORE_CODES: readonly (readonly [name: string, code: number, meaning: () => string])[] = [
  ['SMP_MISMATCH', 97, () => t`The work unit does not fit the number of CPUs`],
  ['CORE_RESTART', 98, () => t`The core asked to be started again`],
  ['CORE_STARTUP_ERROR', 99, () => t`The core could not start`],
  ['FINISHED_UNIT', 100, () => t`The work unit was completed`],
  ['INTERRUPTED', 102, () => t`The core was told to stop`],
  ['CLIENT_DIED', 103, () => t`The core ended because the client was gone`],
  ['CORE_OUTDATED', 110, () => t`The core is out of date; the client fetches the new one`],
  ['BAD_FILE_FORMAT', 111, () => t`A file of the work unit cannot be read`],
  ['BAD_FRAME_CHECKSUM', 112, () => t`A checkpoint is damaged`],
  ['BAD_CORE_FILES', 113, () => t`Files of the core are damaged`],
  ['BAD_WORK_UNIT', 114, () => t`The computation failed: bad data in the work unit, or unstable hardware`],
  ['BAD_ARGUMENTS', 115, () => t`The core does not know how it was started`],
  ['MISSING_WORK_FILES', 116, () => t`Files of the work unit are missing`],
  ['FILE_IO_ERROR', 117, () => t`Files could not be read or written: check the disk and the antivirus program`],
  ['BAD_WORK_CHECKSUM', 118, () => t`The work unit was damaged on its way`],
  ['MALLOC_ERROR', 119, () => t`The computer ran out of memory`],
  ['CORE_IS_ABSENT', 120, () => t`The core’s program is missing; antivirus programs may remove it`],
  ['UNKNOWN_ERROR', 121, () => t`The core ended for a reason that it does not know`],
  ['UNSTABLE_MACHINE', 122, () => t`The computation gave impossible values: the hardware is unstable`],
  ['EARLY_UNIT_END', 123, () => t`The work unit ended early`],
  ['GPU_MEMTEST_ERROR', 124, () => t`The GPU’s memory gave wrong values`],
  ['GPU_INITIALIZATION_ERROR', 125, () => t`The GPU could not be started: check its driver`],
  ['GPU_UNAVAILABLE_ERROR', 126, () => t`The GPU is not available: check its driver`],
  ['WU_STALLED', 127, () => t`The work unit made no progress`],
]

/** Codes with which Windows ends a program that crashed. */
const WINDOWS_CODES: ReadonlyMap<number, () => string> = new Map([
  [0xc0000005, () => t`The core crashed: it used memory that is not its own`],
  [0xc000001d, () => t`The core crashed: the CPU does not know one of its instructions`],
  [0xc0000017, () => t`The core crashed: the computer ran out of memory`],
  [0xc0000022, () => t`The core could not start: Windows or an antivirus program denies it access`],
  [0xc000007b, () => t`The core could not start: a library that it needs is of the wrong kind`],
  [0xc0000094, () => t`The core crashed: it divided by zero`],
  [0xc00000fd, () => t`The core crashed: its stack is full`],
  [0xc0000135, () => t`The core could not start: a library that it needs is missing`],
  [0xc000013a, () => t`The core was ended from outside`],
  [0xc0000142, () => t`The core could not start: a library failed to load`],
  [0xc0000374, () => t`The core crashed: its memory was damaged`],
  [0xc0000409, () => t`The core crashed: its stack was damaged`],
  [0x40010004, () => t`The core was ended because Windows shut down or the user signed out`],
])

const UINT32 = 2 ** 32

function crashText(answer: string): string | undefined {
  for (const [name, code, meaning] of CORE_CODES)
    if (new RegExp(`\\b${name}\\b|\\b(?:core|exit|return)[^\\d]{0,30}\\b${code}\\b`, 'i').test(answer)) return meaning()
  // In hexadecimal, or as the same number with or without a sign.
  for (const [word] of answer.matchAll(/0x[\da-f]{8}\b|-?\b\d{9,10}\b/gi)) {
    const code = Number(word)
    const meaning = WINDOWS_CODES.get(code < 0 ? code + UINT32 : code)
    if (meaning !== undefined) return meaning()
  }
  return undefined
}
