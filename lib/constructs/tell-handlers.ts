import { CfnResource, type Stack } from 'aws-cdk-lib';
import { handlerPath } from '../handler-path.ts';
import { MessagingFunction } from './messaging-function.ts';

/** Has each function of the stack say in its metadata what it is made of, for whoever makes it anew while it runs here. */
export function setHandlerEnvironment(stack: Stack): void {
  for (const one of stack.node.findAll()) {
    if (!(one instanceof MessagingFunction)) continue;
    const { defaultChild } = one.node;
    if (CfnResource.isCfnResource(defaultChild)) defaultChild.addMetadata(handlerPath, one.path);
  }
}
