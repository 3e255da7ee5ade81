import { describe, expect, it } from 'vitest'
import { createLogClock } from './log-clock.ts'
import { logOf } from '../../../test/folding/log.ts'

const log = logOf(['22:30:00:I1:a', '23:30:00:I1:b', 'more', '00:30:00:I1:c', '11:00:00:I1:d'])
const heardAt = Date.parse('2026-11-21T12:00:00Z')
const all = [0, 1, 2, 3, 4]
const FRIDAY: unknown = expect.stringMatching(/^Friday,? 20 November 2026$/)
const SATURDAY: unknown = expect.stringMatching(/^Saturday,? 21 November 2026$/)

describe('Times and days of lines', () => {
  it('are in UTC, with the date above the first line and at midnight', () => {
    expect(
      createLogClock()(log, all, undefined, { receivedAt: heardAt, offsetAt: undefined, locale: 'en-GB' }),
    ).toEqual([
      { clock: undefined, day: FRIDAY },
      { clock: undefined, day: undefined },
      { clock: undefined, day: undefined },
      { clock: undefined, day: SATURDAY },
      { clock: undefined, day: undefined },
    ])
  })

  it('are in another time zone, with its own midnight', () => {
    expect(createLogClock()(log, all, undefined, { receivedAt: heardAt, offsetAt: () => 60, locale: 'en-GB' })).toEqual(
      [
        { clock: '23:30:00', day: FRIDAY },
        { clock: '00:30:00', day: SATURDAY },
        { clock: undefined, day: undefined },
        { clock: '01:30:00', day: undefined },
        { clock: '12:00:00', day: undefined },
      ],
    )
  })

  it('depend on the line above, not on what is rendered', () => {
    const clock = createLogClock()
    const options = { receivedAt: heardAt, offsetAt: undefined, locale: 'en-GB' }
    expect(clock(log, [4], 3, options)).toEqual([{ clock: undefined, day: undefined }])
    expect(clock(log, [3, 4], 1, options).map(({ day }) => day)).toEqual([SATURDAY, undefined])
  })
})
