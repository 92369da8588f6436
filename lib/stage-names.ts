/** How the stack of a stage is called. */
export const stackNameOf = (stageName: string) => `messaging-${stageName}`;

/** Whatever is deployed carries the name of its stage: permissions and the bill can go by it. */
export const stageTag = 'messaging-stage';
