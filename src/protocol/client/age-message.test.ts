import { expect, it } from 'vitest'
import { ageMessage, readAgeMessage } from './age-message.ts'

it('is read as it was written', () => {
  for (const age of [undefined, 0, 18_400]) expect(readAgeMessage(ageMessage(age))).toEqual({ age })
  expect(readAgeMessage(ageMessage(-0.4))).toEqual({ age: 0 })
})

it.each(['["age"]', '["age",-1]', '["age",1,2]', '["age","x"]', '["ages",1]', '{}', '["units",0,"age",1]'])(
  'is not %s',
  text => {
    expect(readAgeMessage(text)).toBeUndefined()
  },
)
