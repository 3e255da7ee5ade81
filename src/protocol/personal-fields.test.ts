import * as v from 'valibot'
import { expect, it } from 'vitest'
import { identityOfText } from './personal-fields.ts'
import { object, personalField } from './schema.ts'

it('an object takes only texts and numbers that say what they identify', () => {
  const schema = object({ nickname_of_owner: personalField('user') })
  expect(v.parse(schema, { nickname_of_owner: 'Ada' })).toEqual({ nickname_of_owner: 'Ada' })
  expect(identityOfText('nickname_of_owner')).toBe('user')
  // @ts-expect-error: without a mark it does not compile.
  object({ nickname: v.string() })
  // @ts-expect-error: without a mark it does not compile.
  object({ nickname: v.exactOptional(v.array(v.string())) })
  // @ts-expect-error: without a mark it does not compile.
  object({ number_of_owner: v.number() })
  expect(identityOfText('nickname')).toBe(undefined)
})
