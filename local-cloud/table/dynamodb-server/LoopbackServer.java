import java.lang.reflect.Field;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import software.amazon.dynamodb.services.local.main.ServerRunner;
import software.amazon.dynamodb.services.local.server.DynamoDBProxyServer;

/**
 * Starts DynamoDB Local as its own main class does, but for three things that it has no option for: it listens on the
 * loopback interface only, it takes the port of the property "port", or a free one, and prints it, and it ends as soon as
 * its standard input does, which happens when the process that started it dies, however that dies.
 *
 * The class file beside this is checked in, as running it takes a JRE and compiling it a JDK. README.md of this folder
 * has the command.
 */
public final class LoopbackServer {
  public static void main(String[] arguments) throws Exception {
    try {
      start(arguments);
      while (System.in.read() != -1) {}
      Runtime.getRuntime().halt(0);
    } catch (Throwable error) {
      // Threads that were started already would keep the process.
      error.printStackTrace();
      Runtime.getRuntime().halt(1);
    }
  }

  private static void start(String[] arguments) throws Exception {
    DynamoDBProxyServer dynamodb = ServerRunner.createServerFromCommandLineArgs(arguments);
    Field field = DynamoDBProxyServer.class.getDeclaredField("server");
    field.setAccessible(true);
    ServerConnector connector = (ServerConnector) ((Server) field.get(dynamodb)).getConnectors()[0];
    connector.setHost("127.0.0.1");
    connector.setPort(Integer.getInteger("port", 0));
    dynamodb.safeStart();
    System.out.println("LISTENING " + connector.getLocalPort());
  }
}
