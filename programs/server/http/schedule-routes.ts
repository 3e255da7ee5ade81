import * as v from 'valibot'
import { inputName, schedulesSchema } from '../../../src/folding/schedule/schedule.ts'
import { schedulesAnswer } from '../../../src/folding/schedule/server-answers.ts'
import { get, post } from './route-fields.ts'

/* The routes of schedules, as those of routes.ts. */

const state = v.picklist(['fold', 'pause', 'finish'])
const group = v.pipe(
  v.optional(v.pipe(v.string(), v.maxLength(200))),
  v.description('A resource group; default: the whole machine'),
)

export const schedulesBody = v.object({
  revision: v.pipe(v.string(), v.maxLength(40), v.description('Of the schedules that were changed')),
  schedules: schedulesSchema,
})
export const overrideBody = v.object({
  state,
  minutes: v.pipe(
    v.optional(v.pipe(v.number(), v.minValue(1), v.maxValue(43_200))),
    v.description('How long; default: until the next change of the schedules'),
  ),
  group,
})
export const followBody = v.object({ group })
export const inputBody = v.object({ value: v.pipe(v.number(), v.finite(), v.minValue(-1e12), v.maxValue(1e12)) })
export const inputPath = inputName

export const scheduleRoutes = {
  schedules: get(
    '/api/server/schedules',
    'view',
    'Schedules in order, the values they depend on, and what they decide for each machine now',
    { isCoordinated: true, answer: schedulesAnswer },
  ),
  saveSchedules: post(
    '/api/server/schedules',
    'control',
    'Replaces all schedules. 409 if they were changed since `revision`',
    { isCoordinated: true, body: schedulesBody, answer: v.object({ revision: v.string() }) },
  ),
  override: post(
    '/api/server/machines/:number/override',
    'control',
    'Gives a machine a state for some time, whatever its schedules decide: pause for two hours',
    { isCoordinated: true, body: overrideBody, answer: v.object({ status: v.string() }) },
  ),
  follow: post(
    '/api/server/machines/:number/follow',
    'control',
    'Ends what `override` began, and changes back what was changed at the machine: it follows its schedules again, if there are any',
    {
      isCoordinated: true,
      body: followBody,
      answer: v.object({
        status: v.pipe(
          v.picklist(['follows', 'unscheduled']),
          v.description('unscheduled: no schedule decides for it now'),
        ),
      }),
    },
  ),
  input: post(
    '/api/server/inputs/:name',
    'inputs',
    'Sets a value that rules of schedules depend on, such as price, solar or temperature',
    { isCoordinated: true, body: inputBody, answer: v.object({ status: v.string() }) },
  ),
  removeInput: post(
    '/api/server/inputs/:name/remove',
    'control',
    'Removes the value and the list of prices that programs sent under a name',
    { isCoordinated: true, answer: v.object({ status: v.string() }) },
  ),
} as const
