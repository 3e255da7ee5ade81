import { describe, expect, it } from 'vitest'
import { isPutAway, MOST_PUT_AWAY, withPutAway } from './put-away.ts'

const away = { key: 'old', isConnected: false, heardAt: 5 }

describe('a client that is put away', () => {
  it('is so until it is heard', () => {
    const putAway = withPutAway({}, 'old', 5)
    expect(isPutAway(putAway, away)).toBe(true)
    expect(isPutAway(putAway, { ...away, heardAt: 6 })).toBe(false)
    expect(isPutAway(putAway, { ...away, isConnected: true })).toBe(false)
    expect(isPutAway(putAway, { ...away, key: undefined })).toBe(false)
    expect(isPutAway(undefined, away)).toBe(false)
    expect(isPutAway(withPutAway({}, 'old'), { ...away, heardAt: undefined })).toBe(true)
  })

  it('is one of so many', () => {
    let putAway = {}
    for (let at = 0; at <= MOST_PUT_AWAY; at++) putAway = withPutAway(putAway, `m${at}`, at)
    expect(Object.keys(putAway).length).toEqual(MOST_PUT_AWAY)
    expect(Object.keys(putAway)[0]).toBe('m1')
  })
})
