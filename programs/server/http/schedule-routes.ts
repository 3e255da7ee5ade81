import * as v from 'valibot'
import { inputName, schedulesSchema } from '../../../src/folding/schedule/schedule.ts'
import { schedulesAnswer } from '../../../src/folding/schedule/server-answers.ts'

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
    v.description('How long; default: until the next boundary of the schedules'),
  ),
  group,
})
export const followBody = v.object({ group })
export const inputBody = v.object({ value: v.pipe(v.number(), v.finite(), v.minValue(-1e12), v.maxValue(1e12)) })
export const inputPath = inputName

export const scheduleRoutes = {
  schedules: {
    method: 'get',
    path: '/api/server/schedules',
    need: 'view',
    isCoordinated: true,
    summary: 'Schedules in order, the values they depend on, and what they decide for each machine now',
    answer: schedulesAnswer,
  },
  saveSchedules: {
    method: 'post',
    path: '/api/server/schedules',
    need: 'control',
    isCoordinated: true,
    summary: 'Replaces all schedules. 409 if they were changed since `revision`',
    body: schedulesBody,
    answer: v.object({ revision: v.string() }),
  },
  override: {
    method: 'post',
    path: '/api/server/machines/:number/override',
    need: 'control',
    isCoordinated: true,
    summary: 'Gives a machine a state for some time, whatever its schedules decide: pause for two hours',
    body: overrideBody,
    answer: v.object({ status: v.string() }),
  },
  follow: {
    method: 'post',
    path: '/api/server/machines/:number/follow',
    need: 'control',
    isCoordinated: true,
    summary:
      'Ends what `override` began, and changes back what was changed at the machine: it follows its schedules again, if there are any',
    body: followBody,
    answer: v.object({
      status: v.pipe(
        v.picklist(['follows', 'unscheduled']),
        v.description('unscheduled: no schedule decides for it now'),
      ),
    }),
  },
  input: {
    method: 'post',
    path: '/api/server/inputs/:name',
    need: 'inputs',
    isCoordinated: true,
    summary: 'Sets a value that rules of schedules depend on, such as price, solar or temperature',
    body: inputBody,
    answer: v.object({ status: v.string() }),
  },
  removeInput: {
    method: 'post',
    path: '/api/server/inputs/:name/remove',
    need: 'control',
    isCoordinated: true,
    summary: 'Removes the value and the list of prices that programs sent under a name',
    answer: v.object({ status: v.string() }),
  },
} as const
