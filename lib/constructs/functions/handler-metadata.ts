import { CfnResource, type Stack } from 'aws-cdk-lib';
import { handlerMetadataKey } from '../../handler-metadata-key.ts';
import { MessagingFunction } from '../messaging-function.ts';

/**
 * Adds the path of each function's source file to its metadata, so that the local cloud can rebuild
 * the function.
 */
export function addHandlerMetadata(stack: Stack): void {
  for (const one of stack.node.findAll()) {
    if (!(one instanceof MessagingFunction)) continue;
    const { defaultChild } = one.node;
    if (CfnResource.isCfnResource(defaultChild))
      defaultChild.addMetadata(handlerMetadataKey, one.path);
  }
}
