import { CfnResource, type Stack } from 'aws-cdk-lib';
import { handlerMetadataKey } from '../../handler-metadata-key.ts';
import { MessagingFunction } from '../messaging-function.ts';

/** Records each function's source path in its metadata, for rebuilds by the local cloud. */
export function addHandlerMetadata(stack: Stack): void {
  for (const one of stack.node.findAll()) {
    if (!(one instanceof MessagingFunction)) continue;
    const { defaultChild } = one.node;
    if (CfnResource.isCfnResource(defaultChild))
      defaultChild.addMetadata(handlerMetadataKey, one.path);
  }
}
