import { t } from '@lingui/core/macro'
/** What the balloons say, by field. */
export const settingsHelp = {
  name: t`What this machine is called in your account. 1 to 64 letters, digits, underscores, dashes and dots. The client takes a new name over when it logs in to its account the next time, which it is told to do at once.`,
  linkName: t`The name that this machine will have in your account. 1 to 64 letters, digits, underscores, dashes and dots.`,
  user: t`Points are counted for this name. It need not be unique. “Anonymous” keeps you anonymous. Any characters other than < > ; or & are allowed.`,
  team: t`The number of the team that you fold for. Nothing, or 0, means no team.`,
  passkey: t`A passkey gives you bonus points. The project sends you one by e-mail when you ask for it.`,
  cause: t`Which research is preferred when there is work for it. “Any” helps most.`,
  onIdle: 'Fold only while nobody uses the computer. Units pause when somebody does, and go on by themselves.',
  onBattery: 'Whether it may fold while the computer runs on its battery. If not, units pause until it is plugged in.',
  keepAwake: t`Keep the computer from going to sleep while it folds.`,
  cpus: t`How many of the machine’s CPUs this group may use. None at all means that it folds on GPUs alone.`,
  gpus: t`Which graphics processors this group may use. Those that the project does not support cannot be enabled. Undetected ones are enabled but not found by the client at the moment; they are kept until you disable them.`,
  groups: t`Resource groups share out a machine: each has resources, settings and units of its own, and is started and paused on its own. A group that is deleted hands its units to the default group.`,
  beta: t`Ask for projects that are still being tested. They fail more often.`,
  key: 'A number that gives access to projects in closed tests. Nothing, or 0, means none.',
  cuda: t`Let GPUs of NVIDIA fold with CUDA where a project has it. Without it they use OpenCL.`,
  hip: t`Let GPUs of AMD fold with HIP where a project has it. Without it they use OpenCL.`,
} as const
